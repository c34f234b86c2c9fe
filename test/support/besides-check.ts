/** What a command has said on stderr, but for what `check` says of the roles before: that is no matter of most tests. */
export function besidesCheck(stderr: string): string {
  return stderr.replace(/^[\s\S]*?\n(?:\d+ errors?, )?\d+ warnings?\n/, '')
}
