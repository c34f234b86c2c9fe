import { isSea } from 'node:sea'

/**
 * What a person types to start this program.
 * @param isOneFile whether it is a single file that holds its Node, which has no npx beside it
 */
export function startCommand(isOneFile = isSea()): string {
  return isOneFile ? 'rolebook' : 'npx rolebook'
}
