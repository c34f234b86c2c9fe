import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { builtProgram } from './built-program.ts'
import type { TemporaryFolder } from './temporary-folder.ts'

/** What `npm install rolebook` puts at `node_modules/.bin/rolebook`, of the present sources. */
export function installProgram(folder: TemporaryFolder): void {
  const script = `#!/bin/sh\nexec '${execPath}' '${join(builtProgram(), 'rolebook.mjs')}' "$@"\n`
  chmodSync(folder.write('node_modules/.bin/rolebook', script), 0o755)
}
