import { messages } from "../lang.ts";

/** The words of the workbench's index and of the block that stands in the system prompt. */
export const workbenchMessages = messages(
  {
    indexTitle: "Workbench index",
    indexNote: "Written by flower whenever something changes here; edits to this file are overwritten.",
    promptTitle: "Workbench",
    place: (root: string, index: string) =>
      `What should outlive this conversation lies in \`${root}\`. The whole list is in \`${index}\`.`,
    external: "It lies outside the workspace: use absolute paths.",
    subagents:
      "Subagents do not see this block. Say in their task where the workbench is and which of its files they need.",
    rulesTitle: "Three rules:",
    scriptsRule: (scripts: string) =>
      `A script that will run a second time goes into \`${scripts}\`, with \`# desc: what it does\` in its first lines. Look there before you write a new one.`,
    artifactsRule: (artifacts: string) =>
      `Output of more than 2,000 characters goes into \`${artifacts}\`; the conversation gets its path and the conclusion.`,
    notesRule: (notes: string) =>
      `A decision that will matter later goes into \`${notes}\`, one decision per file: what was decided, why, what was ruled out.`,
    heading: (category: string, count: string) => `${category} (${count})`,
    atLeast: (count: number) => `at least ${count}`,
    nothing: "(nothing yet)",
    entry: (path: string, description: string) =>
      description === "" ? `- \`${path}\`` : `- \`${path}\`: ${description}`,
    more: (count: string) => `… and ${count} more`,
  },
  {
    indexTitle: "工作台索引",
    indexNote: "由 flower 自动生成,内容有变就重写;手改会被覆盖。",
    promptTitle: "工作台",
    place: (root, index) => `需要留到这次对话之后的东西都放在 \`${root}\`。完整清单见 \`${index}\`。`,
    external: "它在工作区之外:一律使用绝对路径。",
    subagents: "subagent 看不到这一段。派活时要在任务书里写明工作台的位置,以及它用得上的文件。",
    rulesTitle: "三条规矩:",
    scriptsRule: (scripts) =>
      `要跑第二次的脚本放进 \`${scripts}\`,开头几行写上 \`# desc: 一句话说明用途\`。写新脚本之前先到这里找一找。`,
    artifactsRule: (artifacts) => `超过 2000 字符的产出写进 \`${artifacts}\`,对话里只留路径和结论。`,
    notesRule: (notes) =>
      `以后还用得着的决定写进 \`${notes}\`,一个决定一个文件:定了什么、为什么、排除了什么。`,
    heading: (category, count) => `${category}(${count})`,
    atLeast: (count) => `至少 ${count}`,
    nothing: "(暂无)",
    entry: (path, description) => (description === "" ? `- \`${path}\`` : `- \`${path}\`:${description}`),
    more: (count) => `……另有 ${count} 个`,
  },
);
