import { columns, oneLine, truncateColumns } from "../../../base/text.ts";

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly align: "left" | "right";
  /** Columns leave a narrow table in this order, the lowest number first; undefined: never. */
  readonly leaves?: number;
  /** This many columns are enough when there is no room for more; undefined: it is never cut. */
  readonly atLeast?: number;
}

const GAP = "  ";

/**
 * A table within `width` columns, its titles first: cells that may be cut give way first, then whole columns leave.
 * Only when nothing more can give way is a line cut. No cell brings a control sequence.
 */
export function tableLines(table: readonly TableColumn[], width: number): string[] {
  const shown = fitting(table.map(measured), width);
  const fixed = total(shown) - sum(shown.map(({ atLeast, wide }) => (atLeast === undefined ? 0 : wide)));
  const room = width - fixed;
  const [title, ...rows] = rowsOf(
    shown.map((column) =>
      column.atLeast === undefined
        ? column
        : { ...column, wide: Math.min(column.wide, Math.max(room, column.least)) },
    ),
  );
  return [title ?? "", ...rows].map((line) => truncateColumns(line.trimEnd(), width));
}

interface Measured extends TableColumn {
  /** Columns that it takes when nothing is cut, and when as much is cut as may be. */
  readonly wide: number;
  readonly least: number;
}

function measured(column: TableColumn): Measured {
  const cells = column.cells.map(oneLine);
  const wide = Math.max(...[column.title, ...cells].map(columns));
  return { ...column, cells, wide, least: Math.min(wide, column.atLeast ?? wide) };
}

/** Without as many of the columns that may leave as it takes to fit the rest. */
function fitting(table: readonly Measured[], width: number): readonly Measured[] {
  const leaving = table
    .filter(({ leaves }) => leaves !== undefined)
    .sort((one, other) => (one.leaves ?? 0) - (other.leaves ?? 0));
  let shown = table;
  for (const column of leaving) {
    if (sum(shown.map(({ least }) => least)) + gaps(shown) <= width) return shown;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

function rowsOf(table: readonly Measured[]): string[] {
  const height = Math.max(0, ...table.map(({ cells }) => cells.length));
  return Array.from({ length: height + 1 }, (_, row) =>
    table
      .map((column) => {
        const text = truncateColumns(row === 0 ? column.title : (column.cells[row - 1] ?? ""), column.wide);
        const space = " ".repeat(Math.max(0, column.wide - columns(text)));
        return column.align === "left" ? text + space : space + text;
      })
      .join(GAP),
  );
}

function total(table: readonly Measured[]): number {
  return sum(table.map(({ wide }) => wide)) + gaps(table);
}

function gaps(table: readonly Measured[]): number {
  return GAP.length * Math.max(0, table.length - 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
