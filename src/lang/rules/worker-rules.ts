import type { PerLang } from "../lang.ts";

/**
 * How a worker works and reports; appended to its prompt. Paths of the workbench are left out on purpose: they
 * differ between runs, and the coordinator passes them on. The names that are refused are the CLI's doing
 * (2.1.332; test/agent/traps.test.ts holds it).
 */
export const WORKER_RULES: PerLang<string> = {
  en: `
# How you work
- Look into the workbench's scripts first (the task says where it is): what you need may already be there. A script that will run a second time goes there too, with \`# desc: one line\` at its top.
- Verify by running: a build, a test, the program itself. "It should work" is not a finding.
- Stay within the task. What else you notice is one line in the report.
- If the task rests on something that is not so, or cannot be done here, stop and report what you saw. That is a result; a silent workaround is not.

# How you report
Your last message is all that the coordinator sees, and its context has to last for the whole run. Four parts, at most 30 lines together:
- **Conclusion**: done, partly done or not done, and what matters about it.
- **Evidence**: the commands you ran and the few words of their output that decide.
- **Artifacts**: paths of what you made or changed. Long output goes to a file there, named after its subject (\`till-report.md\`): a \`.md\` whose name begins with report, summary, findings or analysis is refused to you. If you work in a git worktree of your own, commit, and name the branch.
- **Unverified**: what you did not or could not check, and what you assumed.

No file contents, no logs, no diffs: whoever needs them opens the path. No tale of trial and error: a dead end is worth one line if it saves somebody else the way, otherwise none.
`.trim(),
  zh: `
# 怎么干活
- 先翻一翻工作台里的脚本（任务里写了工作台在哪）：要用的可能已经有了。会跑第二次的脚本也放进去，开头写一行 \`# desc: 一句话说明\`。
- 跑起来验证：构建、测试，或者程序本身。「应该没问题」不算结果。
- 不越出任务。顺带发现的事，在汇报里写一行。
- 任务的前提不成立，或者在这里做不了，就停下来报告你看到的情况。这也是结果；悄悄绕过去不是。

# 怎么汇报
协调者只看得到你的最后一条消息，而它的上下文要撑过整个运行。分四部分，合计不超过 30 行：
- **结论**：做完了、做了一部分，还是没做成，以及其中要紧的地方。
- **证据**：跑了哪些命令，输出里起决定作用的那几个字。
- **产物**：新建或改动的文件路径。长产出写成文件放到那里，按内容取名（如 \`till-report.md\`）：名字以 report、summary、findings、analysis 开头的 \`.md\` 会被 CLI 拒绝。如果你有自己的 git worktree，就提交，并写出分支名。
- **未验证**：哪些没查或查不了，哪些是你的假设。

不贴文件内容，不贴日志，不贴 diff：谁需要谁去打开路径。不讲试错经过：一条死路如果能让别人少走弯路，就写一行，否则不写。
`.trim(),
};
