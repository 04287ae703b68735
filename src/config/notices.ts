import { oneLine } from "../base/text.ts";
import type { Lang } from "../lang/lang.ts";
import { CONFIG_MESSAGES } from "../lang/messages/config.ts";
import { PROCESS_ORIGIN } from "./credential-keys.ts";

/** Something about the configuration that the user should know and that does not stop the run. Never a secret. */
export interface ConfigNotice {
  /**
   * `unreadable`, `broken`: the file at `path` was left out because of `detail`.
   * `endpoint-from-elsewhere`: the base URL is from the project's file `path`, the credential from `detail`.
   */
  readonly kind: "unreadable" | "broken" | "endpoint-from-elsewhere";
  readonly path: string;
  readonly detail: string;
}

/** A notice as one line. */
export function describeNotice(notice: ConfigNotice, lang: Lang): string {
  const texts = CONFIG_MESSAGES[lang];
  const path = oneLine(notice.path);
  const detail = oneLine(notice.detail);
  switch (notice.kind) {
    case "unreadable":
      return texts.unreadable(path, detail);
    case "broken":
      return texts.broken(path, detail);
    case "endpoint-from-elsewhere":
      return texts.endpointFromElsewhere(path, detail === PROCESS_ORIGIN ? texts.processOrigin : detail);
  }
}
