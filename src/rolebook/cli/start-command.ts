import { isSea } from 'node:sea'

/** What a person types to start this program: a single file that holds its Node has no npx beside it. */
export function startCommand(): string {
  return isSea() ? 'rolebook' : 'npx rolebook'
}
