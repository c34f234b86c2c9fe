import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { maskOutput, maskRequest } from './mask-output.ts'

/** What a person types in a shell, with `kubectl` for one of the servers. */
export interface Command {
  /** `$NS` is the namespace of the session, also that of its context; `$GROUP` the group of its CRDs. */
  readonly run: string
  /** Lines come in any order: names of generated pods decide it. */
  readonly unordered?: true
  /** Which requests are sent depends on the moment. */
  readonly requests?: 'vary'
  /** Why the two servers answer otherwise; the command is then run and not compared. */
  readonly differs?: string
}

export interface Outcome {
  readonly exitCode: number | null
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** `GET /api/v1/namespaces 200`, each once. */
  readonly requests: readonly string[]
}

/** `Response verb="GET" url="https://…" status="200 OK"`, as kubectl logs it from verbosity 6 on. */
const RESPONSE = /"Response" verb="(\w+)" url="https:\/\/[^/]+([^"]*)" status="(\d+)/
const LOG_LINE = /^[IWEF]\d{4} \d\d:\d\d:\d\d/

/** A shell in a folder of its own, in which `kubectl` talks to one server. */
export class KubectlSession {
  readonly #folder: string
  readonly #env: Readonly<Record<string, string | undefined>>

  constructor(options: { folder: string; kubectl: string; kubeconfig: string; namespace: string }) {
    const { folder, kubectl, kubeconfig, namespace } = options
    this.#folder = folder
    const bin = join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(kubectl, join(bin, 'real-kubectl'))
    const script = `#!/bin/sh\nexec ${join(bin, 'real-kubectl')} -v=6 --cache-dir=${join(folder, 'cache')} --namespace=${namespace} "$@"\n`
    writeFileSync(join(bin, 'kubectl'), script)
    chmodSync(join(bin, 'kubectl'), 0o755)
    this.#env = {
      PATH: `${bin}:${env.PATH}`,
      HOME: folder,
      TMPDIR: folder,
      KUBECONFIG: kubeconfig,
      NS: namespace,
      GROUP: `${namespace}.example.com`,
      TZ: 'UTC',
    }
  }

  run({ run, unordered }: Command): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const child = spawn('timeout', ['60', 'sh', '-c', run], {
        cwd: this.#folder,
        env: this.#env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const texts = { stdout: '', stderr: '' }
      child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()))
      child.once('error', reject)
      child.once('close', (exitCode) => {
        const lines = this.#linesOf(texts.stderr)
        resolve({
          exitCode,
          stdout: maskOutput(this.#linesOf(texts.stdout), unordered === true),
          stderr: maskOutput(withoutLog(lines), unordered === true),
          requests: requestsIn(lines),
        })
      })
    })
  }

  #linesOf(text: string): readonly string[] {
    return text.replaceAll(this.#folder, '<folder>').split('\n')
  }
}

/** What kubectl says, without what it logs: at this verbosity, answers of refusal, too. */
function withoutLog(lines: readonly string[]): readonly string[] {
  const isOfAnswer = { now: false }
  return lines.filter((line) => {
    const isLogged = isOfAnswer.now || LOG_LINE.test(line)
    if (LOG_LINE.test(line)) isOfAnswer.now = line.endsWith('[{')
    else if (line === '}]') isOfAnswer.now = false
    return !isLogged
  })
}

/** Repeated questions count once: how often kubectl asks is a matter of time. */
function requestsIn(lines: readonly string[]): readonly string[] {
  const requests = lines.flatMap((line) => {
    const [, method, path = '', status] = RESPONSE.exec(line) ?? []
    return method === undefined ? [] : [maskRequest(`${method} ${path} ${status}`)]
  })
  return [...new Set(requests)]
}
