import type { Lang } from "../../lang/lang.ts";

/** The shop's package name: by it the demo recognises a directory that is its own. */
export const SHOP_NAME = "flower-demo-till";

/** The line of `src/total.js` that ignores quantities, and what each round of work makes of it. */
export const TOTAL_LINES = {
  broken: "  return items.reduce((sum, item) => sum + item.price, 0);",
  quantities: "  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);",
  cents:
    "  const cents = items.reduce((sum, item) => sum + Math.round(item.price * 100) * item.quantity, 0);\n  return cents / 100;",
} as const;

/** A test that holds the fix of the first round. */
export const QUANTITY_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("two of a kind cost twice as much", () => {
  assert.equal(total([{ price: 2, quantity: 2 }]), 4);
});
`;

/** The second round's test: amounts are exact to the cent. */
export const CENTS_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("three pieces at 0.10 cost exactly 0.30", () => {
  assert.equal(total([{ price: 0.1, quantity: 3 }]), 0.3);
});
`;

/** Ends with 1, and prints the amount, unless three pieces at 0.10 cost exactly 0.30. */
export const CENTS_COMMAND = `node --input-type=module -e "import { total } from './src/total.js'; const sum = total([{ price: 0.1, quantity: 3 }]); console.log(sum); process.exit(sum === 0.3 ? 0 : 1)"`;

const BUG: Readonly<Record<Lang, string>> = {
  en: `# The till adds up wrong

Two coffees at 2.00 come out as 2.00 instead of 4.00. It looks as if the quantity were ignored.
Seen by: everybody who buys more than one of anything.
`,
  zh: `# 收银合计算错了

两杯 2.00 的咖啡合计显示 2.00,应该是 4.00。看起来数量没有算进去。
谁遇到过:凡是同一样东西买了不止一件的人。
`,
};

/** Every file of the little shop, by path. */
export function shopFiles(lang: Lang): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(
      { name: SHOP_NAME, version: "1.0.0", private: true, type: "module", scripts: { test: "node --test" } },
      null,
      2,
    )}\n`,
    "src/total.js": `/** What a basket costs. */\nexport function total(items) {\n${TOTAL_LINES.broken}\n}\n`,
    "test/total.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("one of each costs the sum of the prices", () => {
  assert.equal(total([{ price: 2, quantity: 1 }, { price: 3, quantity: 1 }]), 5);
});
`,
    "CHANGELOG.md": "# Changelog\n\n## 1.0.0\n\n- The till opens.\n",
    "BUG.md": BUG[lang],
  };
}
