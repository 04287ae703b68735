import { FlowerError } from "../base/errors.ts";

/** The run was not the one the script tells: calls nobody expected, or steps nobody asked for. */
export class ScriptedModelError extends FlowerError {
  /** One line a call. */
  readonly unexpectedCalls: readonly string[];
  /** One line a step. */
  readonly leftOverSteps: readonly string[];

  constructor(found: {
    readonly unexpectedCalls: readonly string[];
    readonly leftOverSteps: readonly string[];
  }) {
    super(
      "testing/incomplete",
      ["the run did not follow the script", ...listed("unexpected calls", found.unexpectedCalls)]
        .concat(listed("steps left over", found.leftOverSteps))
        .join("\n"),
      { hint: "Compare `model.calls` with the script: what was asked, in which order, and by whom." },
    );
    this.unexpectedCalls = Object.freeze([...found.unexpectedCalls]);
    this.leftOverSteps = Object.freeze([...found.leftOverSteps]);
  }
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
