import { describe, expect, test } from "vitest";
import { isEphemeral } from "../../src/shell/is-ephemeral.ts";
import { realCommands } from "./real-commands.ts";

/**
 * A second opinion that knows nothing of the grammar: words and signs that no glance of the corpus contains once
 * its quoted text is taken out.
 */
const SUSPICIOUS = [
  />(?!\s*(?:\/dev\/null|&\d))/,
  /(?<!<)<(?!<)/,
  /\$\(|`/,
  /(?<![&|>])&(?![&>\d])/,
  /(?:^|[;|&]\s*)(?:rm|mv|cp|ln|tee|touch|mkdir|chmod|xargs|exec|eval|source|sudo|bash|sh|python3?|node|npm|go|mix|mise|curl|export)\s/,
  /\bgit\s+(?:-C\s+\S+\s+)?(?:add|commit|push|pull|fetch|checkout|switch|reset|rebase|merge|mv|rm|clean|gc|init|clone|restore|cherry-pick)(?![\w-])/,
  /\s-(?:exec|delete|ok|fprint)\b/,
  /\bsed\s+(?:-\w+\s+)*-\w*i/,
  /--(?:force|hard|prune|output|in-place)\b/,
];

function withoutQuotes(command: string): string {
  return command.replaceAll(/\\"/g, "").replaceAll(/'[^']*'|"[^"$`]*"/g, "Q");
}

// The cases lie beside the project and are no part of it; without them the count says that it was skipped.
describe.runIf(realCommands.length > 0)("the commands that agents really ran", () => {
  const accepted = realCommands.filter(isEphemeral);

  test("get an answer each, and the glances among them are exactly the reviewed ones", async () => {
    const review = [
      `${accepted.length} of ${realCommands.length}`,
      ...accepted.map((command) => JSON.stringify(command)),
    ];
    await expect(`${review.join("\n")}\n`).toMatchFileSnapshot("accepted-real-commands.txt");
  });

  test("contain nothing suspicious where they were accepted", () => {
    const caught = accepted.filter((command) => SUSPICIOUS.some((sign) => sign.test(withoutQuotes(command))));
    expect(caught).toEqual([]);
  });

  test("are mostly caught by that second opinion where they write, so that it means something", () => {
    const writes = /(?:^|&& )(?:git (?:add|commit|push)|rm|mkdir) /;
    const writing = realCommands.filter((command) => writes.test(withoutQuotes(command)));
    const missed = writing.filter((command) => !SUSPICIOUS.some((sign) => sign.test(withoutQuotes(command))));
    expect(writing.length).toBeGreaterThan(50);
    expect(missed).toEqual([]);
  });
});
