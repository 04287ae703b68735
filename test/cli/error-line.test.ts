import { expect, test } from "vitest";
import { FlowerError } from "../../src/base/errors.ts";
import { errorLine } from "../../src/cli/error-line.ts";

const failed = (message: string, hint?: string): FlowerError =>
  new FlowerError("cli/test", message, hint === undefined ? {} : { hint });

test("what happened comes first, then what to do", () => {
  expect(errorLine(failed("nothing was asked", "Ask."))).toBe("x nothing was asked. Ask.");
  expect(errorLine(failed("It was said already.", "Ask."))).toBe("x It was said already. Ask.");
  expect(errorLine(failed("没有凭证", "请 export 其中一个。"))).toBe("x 没有凭证。请 export 其中一个。");
});

test("a path stays what it is", () => {
  expect(errorLine(failed("cannot load ../flows/../mine.ts"))).toBe("x cannot load ../flows/../mine.ts");
  expect(errorLine(failed("cannot write ..", "Choose another."))).toBe("x cannot write .. Choose another.");
});

test("several lines become one, without control sequences", () => {
  expect(errorLine(new Error("first\n\u001b[31msecond"))).toBe("x first second");
});

test("a path that was typed can be recognised, whatever characters it has", () => {
  const path = "/tmp/a\u001b[31mb/c\nd";
  expect(errorLine(failed(`${path} is a file`, `Move ${path} away.`), ["-w", path])).toBe(
    "x /tmp/a\\u001b[31mb/c\\nd is a file. Move /tmp/a\\u001b[31mb/c\\nd away.",
  );
  expect(errorLine(failed("/srv/c\nd is a file"), ["--workspace=c\nd"])).toBe("x /srv/c\\nd is a file");
});

test("the hint of another copy of this package counts too: a workflow that is run brings its own", () => {
  const foreign = Object.assign(new Error("two steps are called a"), {
    name: "FlowerError",
    hint: "Rename one.",
  });
  expect(errorLine(foreign)).toBe("x two steps are called a. Rename one.");
  expect(errorLine(Object.assign(new Error("no"), { hint: "Never mind." }))).toBe("x no");
});
