// Holds the write lock of a database: `node locking-child.cjs <database> <milliseconds>`; says `locked` when it has it.
const Libsql = require("libsql");

const [path = "", holdMs = "0"] = process.argv.slice(2);
const connection = new Libsql(path, { timeout: 5000 });
connection.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
setTimeout(() => connection.exec("COMMIT"), Number(holdMs));
