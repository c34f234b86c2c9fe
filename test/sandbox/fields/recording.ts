import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Verb } from './cases.ts'

/** What a real server answered to the cases of a kind, by the id of the case. */
export type Recording = ReadonlyMap<string, string>

const VERBS: readonly Verb[] = ['create', 'update', 'patch', 'apply']

/** `undefined` where the kind has not been recorded. */
export function readRecording(name: string): Recording | undefined {
  const url = fileOf(name)
  return existsSync(url) ? parseRecording(brotliDecompressSync(readFileSync(url)).toString()) : undefined
}

/** @returns how many bytes were written */
export function writeRecording(name: string, recording: Recording): number {
  const text = printRecording(recording)
  const bytes = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
  writeFileSync(fileOf(name), bytes)
  return bytes.length
}

function fileOf(name: string): URL {
  return new URL(`recorded/${name}.generated.br`, import.meta.url)
}

/**
 * Each answer once, a line each; an empty line; then a line for each field of a base, and in it the mutations with the
 * numbers of the answers, by verb: `web<tab>spec.replicas<tab>absent c0 u1 p1 a0`.
 */
function printRecording(recording: Recording): string {
  const answers = new Map<string, number>()
  const fields = new Map<string, Map<string, string>>()
  for (const [id, answer] of recording) {
    const [base = '', path = '', mutation = '', verb = ''] = id.split('\t')
    const number = answers.get(answer) ?? answers.size
    answers.set(answer, number)
    const field = fields.get(`${base}\t${path}`) ?? new Map<string, string>()
    fields.set(`${base}\t${path}`, field)
    field.set(mutation, `${field.get(mutation) ?? ''} ${verb[0]}${number}`)
  }
  const lines = [...fields].map(([field, mutations]) =>
    [field, ...[...mutations].map(([mutation, numbers]) => mutation + numbers)].join('\t'),
  )
  return `${[...answers.keys()].join('\n')}\n\n${lines.join('\n')}\n`
}

function parseRecording(text: string): Recording {
  const [head = '', tail = ''] = text.split('\n\n')
  const answers = head.split('\n')
  const recording = new Map<string, string>()
  for (const line of tail.trimEnd().split('\n')) {
    const [base, path, ...mutations] = line.split('\t')
    for (const mutation of mutations) {
      const [, name, numbers = ''] = /^(.*?)((?: [cupa]\d+)+)$/.exec(mutation) ?? []
      for (const [, letter, number] of numbers.matchAll(/([cupa])(\d+)/g)) {
        const verb = VERBS.find((each) => each[0] === letter)
        recording.set([base, path, name, verb].join('\t'), answers[Number(number)] ?? '')
      }
    }
  }
  return recording
}
