import { messages } from "../lang.ts";

/** What the runtime tells the human. */
export const runtimeMessages = messages(
  {
    manifestCorrupt: (path: string, kept: string) =>
      `${path} could not be read as a manifest; it was kept as ${kept} and a new one begun`,
    generationsSpent: (count: number, at: number, window: number, floor: number) =>
      `stopped after ${count} handoffs: every session reached ${at} of ${window} tokens again, and each starts with ` +
      `about ${floor}. The task does not fit the window: raise --window if the model has more, or cut the task`,
    degradedTwice: (why: string) =>
      `stopped: two handoff documents in a row could not be written (${why}), so each further session would only burn money`,
    handoffIncomplete: (missing: string) => `the document lacked: ${missing}`,
    handoffOverflow: "the context had overflowed, so the session could not answer any more",
    handoffUnanswered: "the session was asked for it and gave no answer",
    recovered: (step: string, rows: number) =>
      rows === 0
        ? `an earlier flower was killed in step "${step}"; it is in the books now`
        : `an earlier flower was killed in step "${step}"; it is in the books now, and ${rows} rows of its session were saved`,
    notRecovered: (step: string, why: string) =>
      `what an earlier flower had not stored of step "${step}" could not be read: ${why}`,
    leftElsewhere: (step: string, host: string) =>
      `step "${step}" was begun by a flower on ${host}, which cannot be seen from here; if that one is gone, --force ` +
      "puts its step into the books",
    notCleared: (why: string) =>
      `what resumed sessions left in the temporary directory could not be cleared away: ${why}`,
    recordUnreadable: (path: string) => `${path} could not be read, so what it was about was left as it is`,
    sessionBusy: (id: string) => `another flower is at work in session ${id}`,
    sessionBusyHint: "Wait until it is done, or branch off with fork.",
    wordsUnheard: (words: string, isKept: boolean) =>
      isKept
        ? `the step ended before it heard your words; they wait for the next one: ${words}`
        : `the step ended before it heard your words; say them again when you go on: ${words}`,
    workersCut: (workers: string) =>
      `Workers that had not reported when the session was full; what they had done lies in the workspace: ${workers}.`,
    badBudget: (usd: number) => `a budget of ${usd} US dollars cannot be meant`,
    badBudgetHint: "Give a number above zero, or leave the budget out.",
    budgetSpent: (spent: number, budget: number) =>
      `the budget of this run is spent: $${spent.toFixed(2)} of $${budget.toFixed(2)}`,
    unknownSession: (id: string) => `there is no session "${id}" in this run directory`,
    unknownSessionHint: "Check the id and the run directory (-r); manifest.json there lists the sessions.",
    closed: "this runtime was closed; its database takes no more steps",
    closedHint: "Make a new Runtime for the same directories.",
    notExcluded: (why: string) => `git was not told to leave flower's directories out: ${why}`,
    modelDiffers: (asked: string, served: string) => `asked for the model ${asked}, was served ${served}`,
    offlineTooLong: (minutes: number) => `the endpoint stayed unreachable for ${minutes} minutes`,
  },
  {
    manifestCorrupt: (path, kept) => `${path} 不是能读的运行清单,原文件已保留为 ${kept},另起了一份新的`,
    generationsSpent: (count, at, window, floor) =>
      `交接了 ${count} 次仍然装不下,已停:每一代都又涨到 ${at}/${window} token,而开场就要约 ${floor}。` +
      `这件事放不进这个窗口:模型窗口更大就调 --window,否则把任务拆小`,
    degradedTwice: (why) => `已停:连续两份交接都没写成(${why}),再往下每一代都只是烧钱`,
    handoffIncomplete: (missing) => `交接里缺:${missing}`,
    handoffOverflow: "上下文已经溢出,这个会话答不了话了",
    handoffUnanswered: "问了这个会话,它没有答上来",
    recovered: (step, rows) =>
      rows === 0
        ? `上一个 flower 在步骤「${step}」中途被杀,已补记入账`
        : `上一个 flower 在步骤「${step}」中途被杀,已补记入账,会话里没来得及存的 ${rows} 行也找回来了`,
    notRecovered: (step, why) => `上一个 flower 在步骤「${step}」没来得及存的内容读不出来:${why}`,
    leftElsewhere: (step, host) =>
      `步骤「${step}」是 ${host} 上的 flower 开始的,这里看不到它的死活;确定它已经没了,就用 --force 把它的步骤补记入账`,
    notCleared: (why) => `接续会话留在临时目录里的东西没能清掉:${why}`,
    recordUnreadable: (path) => `${path} 读不出来,它记的事原样没动`,
    sessionBusy: (id) => `另一个 flower 正在会话 ${id} 里干活`,
    sessionBusyHint: "等它做完,或者用 fork 另开一支。",
    wordsUnheard: (words, isKept) =>
      isKept
        ? `这一步没听到你的话就结束了,话留到下一步:${words}`
        : `这一步没听到你的话就结束了,接着做的时候请再说一遍:${words}`,
    workersCut: (workers) => `会话写满时还没汇报的 worker(做到一半的都在工作区里):${workers}。`,
    badBudget: (usd) => `预算 ${usd} 美元没有意义`,
    badBudgetHint: "给一个大于零的数,或者不设预算。",
    budgetSpent: (spent, budget) => `这次运行的预算用完了:$${spent.toFixed(2)} / $${budget.toFixed(2)}`,
    unknownSession: (id) => `这个运行目录里没有会话「${id}」`,
    unknownSessionHint: "核对会话 id 和运行目录(-r);里面的 manifest.json 列着有哪些会话。",
    closed: "这个 Runtime 已经关闭,它的会话库不再接受新的步骤",
    closedHint: "在同样的目录上新建一个 Runtime。",
    notExcluded: (why) => `没能让 git 忽略 flower 自己的目录:${why}`,
    modelDiffers: (asked, served) => `要的模型是 ${asked},实际服务的是 ${served}`,
    offlineTooLong: (minutes) => `端点连续 ${minutes} 分钟不可达`,
  },
);
