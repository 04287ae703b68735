import { messages } from "../lang.ts";

export const workflowMessages = messages(
  {
    lineageKept: (path: string, kept: string, why: "corrupt" | "foreign") =>
      why === "corrupt"
        ? `${path} could not be read; it was kept as ${kept} and a new conversation begins`
        : `${path} belongs to another workspace; it was kept as ${kept} and a new conversation begins`,
    claimsKept: (path: string, kept: string) =>
      `${path} could not be read; it was kept as ${kept}, and whoever was at work here is not known any more`,
    sessionLost: (step: string, id: string) =>
      `the last session of step "${step}" (${id}) is not in sessions.db; the step begins in a new one`,
    noSession: (step: string, from: string) =>
      `step "${step}" should go on in the session of "${from}", but "${from}" has none`,
    busy: (step: string, who: string, minutes: number) =>
      `another flower (${who}) has been at step "${step}" in this run directory for ${minutes} min`,
    busyHint: "Wait until it is done, end it, or choose another run directory (-r).",
    busyElsewhereHint:
      "It runs, or ran, on another machine or in another container. If you know that it is dead, take over with --force.",
    badStepName: (name: string) => `"${name}" cannot be the name of a step`,
    badStepNameHint: "A name is not empty, does not begin with _ and holds no #.",
    duplicateStep: (name: string) => `two steps are called "${name}"`,
    duplicateStepHint:
      "Give each its own name: sessions and results are kept under it, and the second would overwrite the first.",
    badRetries: (step: string, retries: string) => `step "${step}" cannot have ${retries} retries`,
    badRetriesHint: "Give a whole number of at least 0 (with a goal guard: of rounds, at least 1).",
    noSessionHint: "Put the step it resumes before it, or leave resumeFrom out.",
    needsResume: (step: string, option: string) =>
      `step "${step}" was given ${option}, but there is no session to branch off from or to go back in`,
    needsResumeHint: "Name one with resumeFrom (on the command line: --resume), or leave the option out.",
    cannotArchive: (path: string, directory: string, why: string) =>
      `${path} could not be moved to ${directory}: ${why}`,
    cannotArchiveHint: "Nothing is lost: it is still there. Mend the cause and do it again.",
    needsAsk: "nothing was asked, and there is nothing to go on from in this directory",
    needsAskHint: "Give one sentence, for example: flower 'build me an X'",
    needsGit: (workspace: string) =>
      `--isolate gives each worker a git worktree, but ${workspace} is no git repository`,
    needsGitHint: "Run git init and commit once, or leave --isolate out.",
    goalUnverifiable: (count: number, total: number) =>
      `${count} of ${total} checks cannot be verified on this machine; better to know now than after the work`,
    judgeFailed: (error: string) => `the judge could not do its work: ${error}`,
    noJudgeRoom: (error: string) => `the workspace could not be copied for the judge: ${error}`,
    workspaceChanged: (paths: string, judgesAgain: boolean) =>
      `the workspace was changed while it was judged (${paths}), so the verdict does not count; ${
        judgesAgain ? "another judge looks" : "stopped, because it happened again"
      }`,
    commandRan: (command: string, how: string) => `run: ${command} — ${how}`,
    commandPassed: "exit code 0",
    commandFailed: (exitCode: number | null) =>
      exitCode === null ? "could not be run to its end" : `exit code ${exitCode}`,
    commandLate: (minutes: number) => `not done after ${minutes} min, and ended`,
    commandVeto: (check: string, how: string) => `${check} (flower ran it: ${how})`,
  },
  {
    lineageKept: (path, kept, why) =>
      why === "corrupt"
        ? `${path} 读不出来,原文件已保留为 ${kept},这次从头开始`
        : `${path} 属于另一个工作区,原文件已保留为 ${kept},这次从头开始`,
    claimsKept: (path, kept) => `${path} 读不出来,原文件已保留为 ${kept};先前谁在这里干活已无从知道`,
    sessionLost: (step, id) => `步骤「${step}」上次的会话(${id})不在 sessions.db 里,这一步从新会话开始`,
    noSession: (step, from) => `步骤「${step}」要接着「${from}」的会话做,但「${from}」没有会话`,
    busy: (step, who, minutes) =>
      `另一个 flower(${who})正在这个运行目录里做步骤「${step}」,已经 ${minutes} 分钟`,
    busyHint: "等它做完,或者结束它,或者换一个运行目录(-r)。",
    busyElsewhereHint: "它在另一台机器或另一个容器里。确定它已经不在了,就用 --force 接手。",
    badStepName: (name) => `「${name}」不能用作步骤名`,
    badStepNameHint: "步骤名不能为空,不能以 _ 开头,也不能含 #。",
    duplicateStep: (name) => `有两个步骤都叫「${name}」`,
    duplicateStepHint: "每个步骤起自己的名字:会话和结果都按名字存,后一个会盖掉前一个。",
    badRetries: (step, retries) => `步骤「${step}」的重试次数不能是 ${retries}`,
    badRetriesHint: "给一个不小于 0 的整数(带目标守卫时给轮数,不小于 1)。",
    noSessionHint: "把它要接的步骤排在前面,或者去掉 resumeFrom。",
    needsResume: (step, option) => `步骤「${step}」给了 ${option},但没有可以分叉或退回的会话`,
    needsResumeHint: "用 resumeFrom(命令行上是 --resume)指明接哪个会话,或者去掉这个选项。",
    cannotArchive: (path, directory, why) => `${path} 没能移到 ${directory}:${why}`,
    cannotArchiveHint: "东西没丢,还在原处。排除原因后再来一次。",
    needsAsk: "没有给诉求,这个目录里也没有可以接着做的事",
    needsAskHint: "给一句诉求,例如 flower '帮我做一个 X'",
    needsGit: (workspace) => `--isolate 要给每个 worker 一个 git worktree,但 ${workspace} 不是 git 仓库`,
    needsGitHint: "先 git init 并提交一次,或者去掉 --isolate。",
    goalUnverifiable: (count, total) =>
      `${total} 条判定里有 ${count} 条在这台机器上验证不了;现在知道比干完再知道好`,
    judgeFailed: (error) => `判定者没能完成判定:${error}`,
    noJudgeRoom: (error) => `没能给判定者复制一份工作区:${error}`,
    workspaceChanged: (paths, judgesAgain) =>
      `判定期间工作区被改动了(${paths}),这次判定作废;${judgesAgain ? "换一个判定者再看" : "又发生了一次,停在这里"}`,
    commandRan: (command, how) => `run: ${command} — ${how}`,
    commandPassed: "退出码 0",
    commandFailed: (exitCode) => (exitCode === null ? "没能跑到结束" : `退出码 ${exitCode}`),
    commandLate: (minutes) => `${minutes} 分钟还没跑完,已结束它`,
    commandVeto: (check, how) => `${check}(flower 亲自跑过:${how})`,
  },
);
