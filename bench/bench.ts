/** `npm run bench`: on the sandbox, with `--cluster` on a real control plane, with `--shards` with several processes; each has options of its own. */
import { argv } from 'node:process'

if (argv.includes('--cluster')) await import('./cluster/compare.ts')
else if (argv.includes('--shards')) await import('./shards/bench.ts')
else await import('./converge.ts')
