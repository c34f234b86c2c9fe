import { env } from 'node:process'
import { expect } from 'chai'
import { startSandbox } from '../contract/server-under-test.ts'
import { compareKind, printDifference } from './compare.ts'
import { chosenSample, type Sample, sampleOfRecordings } from './sample.ts'
import { nameOf } from './subjects.ts'
import { lineOf, unmended } from './unmended.ts'

/** All of them are `npm run proof:fields`. */
const SIZE = { kinds: 8, cases: 50 }

async function compare(sample: Sample): Promise<string> {
  const server = await startSandbox()
  try {
    const found = await compareKind({ server, lanes: 1 }, sample.subject, sample)
    const open = found.filter((each) => each.reason === undefined && !unmended().has(lineOf(each)))
    return open.map(printDifference).join('\n')
  } finally {
    await server.close()
  }
}

describe('Spoiled fields of built-in kinds are answered as by a real kube-apiserver', () => {
  for (const sample of sampleOfRecordings(Number(env.SEED ?? 1), SIZE)) {
    it(nameOf(sample.subject), async () => expect(await compare(sample)).to.equal(''))
  }

  for (const sample of chosenSample()) {
    it(`${nameOf(sample.subject)}, where few requests lead`, async () => expect(await compare(sample)).to.equal(''))
  }
})
