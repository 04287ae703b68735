import { messages } from "../lang.ts";

/**
 * What the guards tell a model. A refusal says three things: that it is meant, why, and what to do instead; a
 * model that is only told "no" tries the next wording.
 */
export const guardMessages = messages(
  {
    thisRole: "This role",
    notYours: (role: string, tool: string) =>
      `${role} does not have ${tool}. This is deliberate, not a missing setting. Put the answer into the text of your reply: flower takes it from there. Do not look for another way to the same effect.`,
    delegate: (tool: string, artifacts: string | undefined) =>
      `You coordinate; ${tool} is not yours to use. This is deliberate, not a missing permission. Start a subagent with the Agent tool instead: state the goal and how the result will be judged, and have it write long output ${artifacts === undefined ? "to a file" : `into ${artifacts}/`} and reply with paths and conclusions only.`,
    glance:
      "Commands that only look (git status, ls, cat, grep …) are open to you, without redirections and substitutions.",
    starts: (tool: string) =>
      `${tool} is closed here. This is deliberate: work is started with the Agent tool only, so that it is counted and can be continued.`,
    moves: (tool: string) =>
      `${tool} is closed here. This is deliberate: this session stays in its workspace, and a role that needs a worktree of its own gets one by itself when you start it with the Agent tool.`,
    schedules: (tool: string) =>
      `${tool} is closed here. This is deliberate: flower itself waits, resumes and goes on. Do what can be done now; when nothing is left, say so and end your turn.`,
    publishes: (tool: string) =>
      `${tool} is closed here. This is deliberate: nothing leaves this machine while nobody is watching. Leave the result in the workspace and name its path in your reply.`,
    steers: (tool: string) =>
      `${tool} is closed here. This is deliberate: how this session runs and what its goal is, flower decides. Go on with the task.`,
    background:
      "run_in_background is closed here. This is deliberate: nobody waits for a command that your turn leaves behind. Run it in the foreground and give it a `timeout` that is long enough (at most 600000 ms). A server that is to go on running is started detached: `nohup <command> > <log file> 2>&1 &`.",
    guardFailed: (tool: string) =>
      `${tool} was refused because the check before it failed; that is a fault in flower, not in your call. Try once more; if it is refused again, say so in your reply and go on with something else.`,
    thisTool: "This tool",
    spilled: (chars: number, path: string) =>
      `[Long output, kept on disk: ${chars} characters. All of it is in ${path}; use Read on that file when you need more. It begins:]`,
  },
  {
    thisRole: "这个角色",
    notYours: (role, tool) =>
      `${role}没有 ${tool}。这是有意的安排,不是漏配。把结论写进回复正文,flower 会从那里取走;不要换别的办法绕过去。`,
    delegate: (tool, artifacts) =>
      `你负责协调,不直接使用 ${tool}。这是有意的安排,不是缺权限。请用 Agent 工具派一个 subagent 去做:写清目标和验收标准,要求它把长产出写进${artifacts === undefined ? "文件" : ` ${artifacts}/`},回复里只给路径和结论。`,
    glance: "只看不改的命令(git status、ls、cat、grep 等)你可以直接运行,但不要带重定向和命令替换。",
    starts: (tool) =>
      `${tool} 在这里不开放。这是有意的安排:派活只走 Agent 工具,这样每一份活都有账可查、断了能接着做。`,
    moves: (tool) =>
      `${tool} 在这里不开放。这是有意的安排:本会话始终留在自己的工作区;需要独立 worktree 的角色,用 Agent 工具派出去时会自动得到一个。`,
    schedules: (tool) =>
      `${tool} 在这里不开放。这是有意的安排:等待、恢复、继续都由 flower 负责。先把眼下能做的做完;没有可做的了,就说明情况并结束这一轮。`,
    publishes: (tool) =>
      `${tool} 在这里不开放。这是有意的安排:没人看着的时候,不往这台机器以外发送任何东西。把成果留在工作区,在回复里给出路径。`,
    steers: (tool) =>
      `${tool} 在这里不开放。这是有意的安排:会话怎么跑、目标是什么,由 flower 决定。请继续手上的任务。`,
    background:
      "run_in_background 在这里不开放。这是有意的安排:这一轮结束后,没有人会等一条留在后台的命令。请在前台运行,并把 `timeout` 给够(最多 600000 毫秒)。要让服务一直运行下去,就脱离终端启动:`nohup <命令> > <日志文件> 2>&1 &`。",
    guardFailed: (tool) =>
      `${tool} 被拒绝了:调用前的检查自己出了错,这是 flower 的故障,不是你的调用有问题。可以再试一次;如果仍被拒绝,就在回复里说明,先做别的。`,
    thisTool: "这个工具",
    spilled: (chars, path) =>
      `[输出过长,已存盘:${chars} 字符。完整内容在 ${path},需要时用 Read 读取。开头如下:]`,
  },
);
