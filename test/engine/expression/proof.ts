import { argv, exit, stdout } from 'node:process'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import type { JsonValue } from '../../../src/core/base/json.ts'
import { compareWithLibrary } from './compare-with-library.ts'
import { randomExpression, randomInput } from './random-expression.ts'

/**
 * `npm run proof:expressions [-- --pairs N --seed N --workers N]`: random pairs of an expression and a document, each evaluated
 * here and by the jsonata library. Ends with a line of figures; exits 1 when a pair differs.
 */
interface Share {
  readonly seed: number
  readonly pairs: number
}

/** What a worker reports after each batch. */
interface Progress {
  readonly pairs: number
  /** Pairs for which the library gave no answer to compare with. */
  readonly unanswered: number
  readonly errors: number
  readonly difference?: string
}

/** Pairs of one seed. */
const BATCH = 2000

if (isMainThread) exit(await prove())
else await work(workerData as Share)

async function prove(): Promise<number> {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      pairs: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
    },
  })
  const [pairs, seed, workers] = [Number(values.pairs), Number(values.seed), Number(values.workers)]
  const began = performance.now()
  const total = { pairs: 0, unanswered: 0, errors: 0, differences: 0 }
  const shares = Array.from({ length: workers }, (_, index) => ({
    seed: seed + index * 1_000_000,
    pairs: Math.ceil(pairs / workers),
  }))
  await Promise.all(
    shares.map((share) =>
      runWorker(share, ({ difference, ...counts }) => {
        total.pairs += counts.pairs
        total.unanswered += counts.unanswered
        total.errors += counts.errors
        if (difference !== undefined) {
          total.differences++
          stdout.write(`${difference}\n`)
        }
        if (total.pairs % 100_000 === 0) stdout.write(`${total.pairs} pairs\n`)
      }),
    ),
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const { errors, unanswered, differences } = total
  stdout.write(
    `seed ${seed}: ${total.pairs} pairs (${errors} of them errors), ${unanswered} without an answer of the library, ` +
      `${differences} differences, ${seconds} s\n`,
  )
  return differences === 0 ? 0 : 1
}

function runWorker(share: Share, report: (progress: Progress) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', report)
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
}

async function work({ seed, pairs }: Share): Promise<void> {
  for (let done = 0; done < pairs; done += BATCH)
    parentPort?.postMessage(await runBatch(seed + done, Math.min(BATCH, pairs - done)))
}

/** Ends at the first difference, made as small as it can be. */
async function runBatch(seed: number, pairs: number): Promise<Progress> {
  const counts = { unanswered: 0, errors: 0 }
  const details = await fc.check(
    fc.asyncProperty(randomExpression, randomInput, async (source, input) => {
      const { actual, wanted } = await compareWithLibrary(source, input)
      if (wanted === undefined) counts.unanswered++
      else if (wanted.code !== undefined) counts.errors++
      return wanted === undefined || isDeepStrictEqual(actual, wanted)
    }),
    { numRuns: pairs, seed },
  )
  if (!details.failed || details.counterexample === null) return { ...counts, pairs }
  return { ...counts, pairs: details.numRuns, difference: await describe(seed, ...details.counterexample) }
}

async function describe(seed: number, source: string, input: JsonValue): Promise<string> {
  const { actual, wanted } = await compareWithLibrary(source, input)
  return [
    `seed ${seed}: ${source}`,
    `  over    ${JSON.stringify(input)}`,
    `  gives   ${JSON.stringify(actual)}`,
    `  library ${JSON.stringify(wanted)}`,
  ].join('\n')
}
