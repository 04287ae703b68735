import type { OptionTable, ReadWords } from "../options.ts";
import { harmless, only, subverbs, type VerbRule } from "../rules.ts";
import { isSafeOperand } from "../word.ts";

const LIST: OptionTable = {
  flags: "aqls",
  values: "nf",
  long: "all quiet latest size no-trunc digests tree",
  longValues: "filter format last",
};
const INSPECT: OptionTable = { flags: "sv", values: "f", long: "size verbose", longValues: "format type" };
const LOGS: OptionTable = {
  flags: "t",
  values: "n",
  long: "timestamps details no-color no-log-prefix",
  longValues: "tail since until",
};

const containers = only("lists containers", LIST);
const images = only("lists images", LIST);
const logs = only("prints logs; -f and --follow never end", LOGS);
const inspect = only("prints details", INSPECT);

/** Options before the sub-verb choose another daemon (`-H ssh://…` runs ssh), so there are none. */
const docker = subverbs("asks the daemon; run, exec, cp, build and the like are not listed", {
  verbs: {
    ps: containers,
    images,
    logs,
    inspect,
    port: only("prints ports", {}),
    top: only("prints the processes of a container", {}),
    diff: only("prints what changed in a container", {}),
    history: only("prints the layers of an image", {
      flags: "qH",
      long: "no-trunc quiet human",
      longValues: "format",
    }),
    version: only("prints versions", { values: "f", longValues: "format" }),
    stats: only(
      "prints use of resources; without --no-stream it never ends",
      { flags: "a", long: "all no-stream no-trunc", longValues: "format" },
      { needs: ["--no-stream"] },
    ),
    container: subverbs("the same about containers", {
      verbs: { ls: containers, list: containers, logs, inspect },
    }),
    image: subverbs("the same about images", { verbs: { ls: images, list: images, inspect } }),
    network: subverbs("networks", { verbs: { ls: only("lists networks", LIST), inspect } }),
    volume: subverbs("volumes", { verbs: { ls: only("lists volumes", LIST), inspect } }),
    system: subverbs("the daemon", {
      verbs: { df: only("prints disk use", { flags: "v", long: "verbose" }) },
    }),
    compose: subverbs("the project in this directory; -f would read another", {
      verbs: {
        ps: only("lists services", {
          flags: "aq",
          long: "all quiet services no-trunc orphans",
          longValues: "format filter status",
        }),
        ls: only("lists projects", { flags: "aq", long: "all quiet", longValues: "format filter" }),
        images: only("lists images", { flags: "q", long: "quiet", longValues: "format" }),
        logs,
        top: only("prints processes", {}),
      },
    }),
  },
});

const NAMESPACE: OptionTable = { flags: "A", values: "n", long: "all-namespaces", longValues: "namespace" };
const SELECT: OptionTable = { values: "l", longValues: "selector field-selector" };
const OUTPUT: OptionTable = {
  values: "o",
  long: "no-headers show-labels show-kind ignore-not-found show-managed-fields",
  longValues: "output sort-by label-columns chunk-size",
};

/**
 * --kubeconfig is missing on purpose: such a file names programs to run for credentials. So are -f and -k (files,
 * addresses), --server and --token.
 */
const kubectl = subverbs("asks the cluster; exec, apply, edit, delete and the like are not listed", {
  globals: NAMESPACE,
  verbs: {
    get: only("lists objects; -w never ends", [NAMESPACE, SELECT, OUTPUT, { values: "L" }]),
    describe: only("prints details", [NAMESPACE, SELECT, { longAttached: "show-events" }]),
    logs: only("prints logs; -f never ends", [
      NAMESPACE,
      SELECT,
      {
        flags: "p",
        values: "c",
        long: "previous timestamps all-containers prefix ignore-errors",
        longValues: "container tail since since-time limit-bytes",
      },
    ]),
    top: only("prints use of resources", [
      NAMESPACE,
      SELECT,
      { long: "containers no-headers sum", longValues: "sort-by" },
    ]),
    version: only("prints versions", { values: "o", long: "client short", longValues: "output" }),
    "api-resources": only("lists kinds", { values: "o", long: "no-headers", longValues: "output api-group" }),
    "api-versions": only("lists versions", {}),
    explain: only("prints documentation", { long: "recursive", longValues: "api-version output" }),
    "cluster-info": only("prints addresses; an operand dumps to files", {}, { maxOperands: 0 }),
    config: subverbs("prints the configuration; the rest writes it", {
      verbs: {
        view: only("prints it without secrets", { values: "o", long: "minify", longValues: "output" }),
        "current-context": only("prints a name", {}),
        "get-contexts": only("lists names", { values: "o", long: "no-headers", longValues: "output" }),
        "get-clusters": only("lists names", {}),
      },
    }),
  },
});

/** Processes, ports and containers. */
export const PROCESSES_CONTAINERS: Readonly<Record<string, VerbRule>> = {
  ps: harmless("lists processes"),
  pgrep: only("lists processes by name", {
    flags: "acfilnovwxL",
    values: "dgGPstuUF",
    long: "count full ignore-case list-name list-full newest oldest inverse exact lightweight",
    longValues: "delimiter pgroup group parent session terminal euid uid",
  }),
  pidof: harmless("prints process ids"),
  pstree: harmless("draws processes"),
  top: only(
    "lists processes (procps makes an empty ~/.config/procps); without -b and -n it never ends",
    { flags: "bcHiS1", values: "noupd" },
    { needs: ["-b", "-n"], maxOperands: 0 },
  ),
  lsof: only(
    "lists open files; -r and +r repeat, -D writes a cache",
    { flags: "anPtUlRbwvN", values: "pucd", attached: "isFg" },
    { check: noPlusOptions },
  ),
  ss: only("lists sockets; -K closes them, -D writes, -E never ends", {
    flags: "aelmnoprstuwx46iHO",
    long: [
      "all extended listening memory numeric options processes resolve summary tcp udp raw unix ipv4 ipv6 info",
      "no-header oneline",
    ].join(" "),
  }),
  netstat: only("lists sockets; -c never ends", {
    flags: "aelnoprstux46i",
    long: "all extend listening numeric programs route statistics tcp udp raw unix interfaces wide",
  }),
  docker,
  kubectl,
};

/** lsof has options that begin with a plus sign. */
function noPlusOptions({ operands }: ReadWords): boolean {
  return operands.every(
    (word) => isSafeOperand(word) && !(word.kind === "static" ? word.text : word.prefix).startsWith("+"),
  );
}
