// Runs OpenCode's shell commands under Proctor, which records what really ran.
// Written by `proctor init`; `proctor init --undo` removes it.
const looks = /^(cat|cd|grep|head|ls|pwd|rg|tail|wc|git (diff|log|show|status))\b[^|&;$`<>()\n]*$/
const quote = (word) => "'" + word.replaceAll("'", "'\\''") + "'"

export const Proctor = async () => ({
  "tool.execute.before": async (input, output) => {
    const text = output.args?.command
    if (input.tool !== "bash" || typeof text !== "string" || looks.test(text.trim())) return
    if (/^\s*(\S*\/)?proctor (run|watch)\b/.test(text)) return
    const program = Bun.which("proctor")
    if (!program) {
      console.error("proctor is not installed: this command is not recorded")
      return
    }
    const parent = quote("--parent=" + input.callID)
    const shell = '"${BASH:-${ZSH_NAME:-sh}}"'
    const fresh = `${quote(program)} watch --anyway ${parent} -- ${shell} -c ${quote(text)}`
    // The kernel takes 131,071 bytes in one argument.
    if (new TextEncoder().encode(fresh).length <= 120_000) output.args.command = fresh
  },
})
