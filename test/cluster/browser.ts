import { existsSync } from 'node:fs'
import { env, stderr } from 'node:process'
import { type Browser, chromium } from 'playwright-core'

const PATH = env.CHROMIUM || '/usr/bin/chromium'

/** It neither asks the network by itself, nor keeps anything. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A Chromium without a window, with a new empty profile. `undefined`, after it was said what is skipped: there is none here. */
export async function startBrowser(skipped: string): Promise<Browser | undefined> {
  if (!existsSync(PATH)) {
    stderr.write(`SKIPPED: ${skipped} needs Chromium at ${PATH} (install it, or name it in CHROMIUM)\n`)
    return undefined
  }
  return chromium.launch({ executablePath: PATH, headless: true, args: FLAGS })
}
