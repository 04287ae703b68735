/**
 * The direction between folders (docs/architecture/direction.md): one allow-line a folder. A folder imports
 * itself and what its line names; everything else is an error. Where the direction would turn round, pass a
 * function or an interface in.
 */
const LOW = ["base", "lang", "events", "documents", "shell"];
const MIDDLE = [...LOW, "config", "resilience", "workbench", "store", "human"];
const ALLOWED = {
  base: [],
  lang: ["base"],
  events: ["base", "lang"],
  documents: ["base", "lang"],
  shell: ["base"],
  config: ["base", "lang", "documents"],
  resilience: ["base", "lang", "events", "config"],
  gateway: ["base", "lang", "events", "config", "resilience"],
  workbench: ["base", "lang"],
  store: ["base", "lang", "shell"],
  human: ["base", "lang", "events", "documents"],
  guards: ["base", "lang", "shell", "workbench", "store"],
  agent: [...MIDDLE, "guards"],
  runtime: [...MIDDLE, "guards", "agent", "gateway"],
  roles: [...MIDDLE, "guards", "agent", "runtime"],
  workflow: [...MIDDLE, "guards", "agent", "runtime", "roles"],
  testing: ["base"],
  cli: [...MIDDLE, "guards", "agent", "runtime", "roles", "workflow", "testing"],
};

const folderRules = Object.entries(ALLOWED).map(([folder, allowed]) => ({
  name: `${folder}-imports-only`,
  comment: `src/${folder} may import: ${allowed.join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: `^src/(${[folder, ...allowed].join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: "every-folder-has-its-line",
      comment: "A new folder gets an allow-line above before it imports anything.",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(index\\.ts$|(${Object.keys(ALLOWED).join("|")})/)` },
      to: {},
    },
    {
      name: "the-library-does-not-contain-the-command",
      comment: "src/cli is a leaf: it imports the library, and nobody imports it.",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { path: "^src/(cli|testing)/" },
    },
    {
      name: "only-agent-imports-the-sdk",
      comment:
        "One folder knows the Agent SDK, which brings its own MCP; the store borrows its pure summary fold in one file.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(agent/|store/fold-summary\\.ts$)" },
      to: { path: "node_modules/(@anthropic-ai|@modelcontextprotocol)/" },
    },
    {
      name: "one-file-knows-the-database-driver",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/database\\.ts$" },
      to: { path: "node_modules/libsql/" },
    },
    {
      name: "one-file-knows-the-bash-parser",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/shell/parse\\.ts$" },
      to: { path: "node_modules/unbash/" },
    },
    {
      name: "product-does-not-import-tests",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|examples|scripts)/" },
    },
    {
      name: "no-development-packages-in-the-product",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: "node_modules/@types/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "nothing-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
    },
  },
};
