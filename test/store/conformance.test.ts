import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemorySessionStore } from "@anthropic-ai/claude-agent-sdk";
import { PruningSessionStore } from "../../src/store/pruning-session-store.ts";
import { SqliteSessionStore } from "../../src/store/sqlite-session-store.ts";
import { type ConformanceSubject, describeConformance } from "./conformance.ts";

function inDirectory(
  make: (directory: string) => ConformanceSubject["store"] & { close(): void },
): () => ConformanceSubject {
  return () => {
    const directory = mkdtempSync(join(tmpdir(), "flower-store-"));
    const store = make(directory);
    return {
      store,
      close: () => {
        store.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  };
}

describeConformance("SqliteSessionStore", {
  make: inDirectory((directory) => new SqliteSessionStore({ path: join(directory, "sessions.db") })),
  deduplicates: true,
});

describeConformance("PruningSessionStore", {
  make: inDirectory(
    (directory) => new PruningSessionStore({ path: join(directory, "sessions.db"), workspace: directory }),
  ),
  deduplicates: true,
});

// Tries the suite itself: what it asks is what the SDK's own store does.
describeConformance("the SDK's InMemorySessionStore", {
  make: () => ({ store: new InMemorySessionStore(), close: () => undefined }),
  deduplicates: false,
});
