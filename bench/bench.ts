/** `npm run bench`: on the sandbox, or with `--cluster` on a real control plane, each with options of its own. */
import { argv } from 'node:process'

if (argv.includes('--cluster')) await import('./cluster/compare.ts')
else await import('./converge.ts')
