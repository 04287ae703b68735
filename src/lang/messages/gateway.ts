import { messages, type PerLang } from "../lang.ts";

const lasting: PerLang<(ms: number) => string> = {
  en: (ms) => {
    if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
    return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
  },
  zh: (ms) => {
    if (ms < 60_000) return `${Math.ceil(ms / 1000)} 秒`;
    return ms < 7_200_000 ? `${Math.round(ms / 60_000)} 分钟` : `${Math.round(ms / 3_600_000)} 小时`;
  },
};

/** What is told about a request that the gateway holds. */
export const gatewayMessages = messages(
  {
    lost: (error: string, leftMs: number) =>
      `${error}: the API cannot be reached; the request is kept until it can ` +
      (Number.isFinite(leftMs) ? `(${lasting.en(leftMs)} at most)` : "(without limit)"),
    waiting: (error: string, waitMs: number, attempt: number) =>
      `${error}: the request is sent again in ${lasting.en(waitMs)} (attempt ${attempt})`,
    online: (heldMs: number) => `the API answers again, after ${lasting.en(heldMs)}`,
    gaveUp: (error: string, heldMs: number) => `${error}: gave up after ${lasting.en(heldMs)}`,
    notHeld: (error: string) => `${error}: waiting does not help here`,
  },
  {
    lost: (error, leftMs) =>
      `${error}:连不上 API,请求先留着,恢复后再发` +
      (Number.isFinite(leftMs) ? `(最多等 ${lasting.zh(leftMs)})` : "(不限时)"),
    waiting: (error, waitMs, attempt) => `${error}:${lasting.zh(waitMs)}后重发(第 ${attempt} 次)`,
    online: (heldMs) => `API 恢复应答,共等了 ${lasting.zh(heldMs)}`,
    gaveUp: (error, heldMs) => `${error}:等了 ${lasting.zh(heldMs)},不再等了`,
    notHeld: (error) => `${error}:等下去也没有用`,
  },
);
