import { messages } from "../lang.ts";

/** Counts as they stand in one line for people. */
interface TrimCounts {
  readonly expired: number;
  readonly trimmed: number;
  readonly kept: number;
  readonly savedTokens: number;
}

/** An entry that is no JSON, and where it was to go. */
interface NotStorable {
  /** Of the entry in its batch, from 1. */
  readonly number: number;
  readonly name: string;
  readonly storeKey: string;
  readonly why: string;
}

/** What the session store says: to the model in place of what it holds back, to people about their files. */
export const STORE_MESSAGES = messages(
  {
    /** In place of an archived tool result. `isArchivedText` in store/archived-text.ts reads it back. */
    archived: (chars: number, path: string) =>
      `[Tool result archived: ${chars} characters. The full text is in ${path}; use Read when you need it]`,
    /** `{cmd}` and `{age}` are filled in by store/expire.ts. */
    expired:
      "[The result of {cmd} has expired ({age} rounds ago); things may have changed since. Run it again if you need it]",
    interrupted:
      "[Interrupted: the turn was cut off while this call was in flight, so its outcome is unknown. That was no fault of the environment, and the tool was not refused.]",
    turnInterrupted: "[The turn was interrupted here.]",
    noResult:
      "[No result was recorded: the session ended while this call was running. It may have taken effect fully, partly or not at all; check before you rely on it or run it again.]",
    nothingTrimmed: "nothing trimmed",
    trimmed: ({ expired, trimmed, kept, savedTokens }: TrimCounts) =>
      [
        expired > 0 ? `${expired} expired` : "",
        trimmed > 0 ? `trimmed ${trimmed} (kept last ${kept}), saved ~${savedTokens} tokens` : "",
      ]
        .filter((part) => part !== "")
        .join("; "),
    setAside: (path: string, kept: string, why: string) =>
      `${path} could not be used as a session database (${why}). It was kept as ${kept}, and a new one was started.`,
    unreadableRows: (count: number, key: string) =>
      `${count} rows of ${key} are not readable and were left out of what is fed back; they are still in the database.`,
    spillFailed: (directory: string, why: string) =>
      `cannot archive tool results in ${directory} (${why}); they are fed back in full.`,
    schemaTooNew: (path: string, found: number, known: number) =>
      `${path} was written by a newer flower (schema ${found}, this one knows ${known}); nothing was changed`,
    schemaTooNewHint: "Update flower, or name another run directory with --run-dir.",
    foreign: (path: string) => `${path} is a database of another program; nothing was changed`,
    foreignHint: "Name another run directory with --run-dir.",
    cannotOpen: (path: string, why: string) => `cannot open ${path}: ${why}`,
    cannotOpenHint:
      "Check that the file and its directory are writable and that no other program holds it, or name another run directory.",
    cannotUse: (path: string, why: string) => `cannot read or write ${path}: ${why}`,
    cannotUseHint:
      "Check the space left and the permissions, and whether another flower is busy in this directory.",
    locked: (path: string, seconds: number) =>
      `${path} has been locked by another program for more than ${seconds} seconds`,
    lockedHint: "Wait until that program is done, or end it (a backup, a database browser, another flower).",
    notStorable: ({ number, name, storeKey, why }: NotStorable) =>
      `entry ${number} (${name}) of a batch for ${storeKey} cannot be stored: ${why}; nothing of the batch was stored`,
    notStorableHint: "An entry must be plain JSON: no circles, no BigInt, no text beyond 500 MB.",
    closed: (path: string) => `${path} is closed`,
    closedHint: "Open a new store; this one ended with its run.",
    spillOutside: (spillDirname: string, workspace: string) =>
      `spillDirname ${JSON.stringify(spillDirname)} does not lie inside the workspace ${workspace}`,
    spillOutsideHint:
      "Choose a relative path below the workspace: the agent's Read must be able to reach it.",
    badPolicy: (field: string, value: string) =>
      `${field} must be a whole number of at least 0, not ${value}`,
    badPolicyHint: "Correct the policy given to the store or to Runtime.",
  },
  {
    archived: (chars, path) => `[工具结果已归档:${chars} 字符。完整内容在 ${path},需要时用 Read 读取]`,
    expired: "[{cmd} 的结果已过期(第 {age} 轮前),当前状态可能已变。需要请重新执行]",
    interrupted: "[已打断:这次调用尚未完成,本轮就被中断了,结果未知。这不是环境故障,工具也没有被拒绝。]",
    turnInterrupted: "[本轮在此处被打断。]",
    noResult:
      "[没有记录到结果:会话结束时这次调用还在执行。它可能已全部生效、部分生效或完全没有生效;要依赖它或重跑之前,请先确认。]",
    nothingTrimmed: "没有可裁剪的内容",
    trimmed: ({ expired, trimmed, kept, savedTokens }) =>
      [
        expired > 0 ? `过期 ${expired} 条` : "",
        trimmed > 0 ? `裁剪 ${trimmed} 条(保留最近 ${kept} 条),约省 ${savedTokens} tokens` : "",
      ]
        .filter((part) => part !== "")
        .join(";"),
    setAside: (path, kept, why) =>
      `${path} 无法作为会话数据库使用(${why})。原文件已保留为 ${kept},并另建了一个新库。`,
    unreadableRows: (count, key) => `${key} 有 ${count} 行无法读取,没有喂回给模型;它们仍在数据库里。`,
    spillFailed: (directory, why) => `无法把工具结果归档到 ${directory}(${why}),这些结果将原样喂回。`,
    schemaTooNew: (path, found, known) =>
      `${path} 由更新版本的 flower 写成(结构版本 ${found},当前只认识 ${known});没有改动任何内容`,
    schemaTooNewHint: "请升级 flower,或用 --run-dir 指定另一个运行目录。",
    foreign: (path) => `${path} 是别的程序的数据库;没有改动任何内容`,
    foreignHint: "请用 --run-dir 指定另一个运行目录。",
    cannotOpen: (path, why) => `打不开 ${path}:${why}`,
    cannotOpenHint: "请检查文件和所在目录是否可写、是否被别的程序占用,或换一个运行目录。",
    cannotUse: (path, why) => `读写 ${path} 失败:${why}`,
    cannotUseHint: "请检查剩余空间和权限,以及是否有另一个 flower 正在占用这个目录。",
    locked: (path, seconds) => `${path} 被别的程序锁住超过 ${seconds} 秒`,
    lockedHint: "请等那个程序用完,或将其结束(备份、数据库浏览器、另一个 flower)。",
    notStorable: ({ number, name, storeKey, why }) =>
      `要写入 ${storeKey} 的一批记录里,第 ${number} 条(${name})无法保存:${why};整批都没有写入`,
    notStorableHint: "记录必须是纯 JSON:不能有循环引用和 BigInt,文本不能超过 500 MB。",
    closed: (path) => `${path} 已关闭`,
    closedHint: "请新建一个存储对象;这一个已随它的运行结束。",
    spillOutside: (spillDirname, workspace) =>
      `spillDirname ${JSON.stringify(spillDirname)} 不在工作区 ${workspace} 之内`,
    spillOutsideHint: "请用工作区之下的相对路径:agent 的 Read 必须够得到它。",
    badPolicy: (field, value) => `${field} 必须是不小于 0 的整数,而不是 ${value}`,
    badPolicyHint: "请修正传给存储或 Runtime 的策略。",
  },
);

/** One language's store messages. */
export type StoreMessages = (typeof STORE_MESSAGES)["en"];
