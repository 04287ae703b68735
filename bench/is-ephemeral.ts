/** `npx tsx bench/is-ephemeral.ts`: this one benchmark without the others. */
import { formatJsonLines, formatTable } from "./figure.ts";
import bench from "./is-ephemeral.bench.ts";

const figures = await bench.run();
console.log(formatTable(figures));
console.log(formatJsonLines(figures));
