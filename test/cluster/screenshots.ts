import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, stdout } from 'node:process'
import type { Page } from 'playwright-core'

/** Keeps pictures of pages in the folder that `ROLEBOOK_SCREENSHOTS` names, or else in a new one. It prints which. */
export class Screenshots {
  readonly #suite: string
  #folder: string | undefined

  constructor(suite: string) {
    this.#suite = suite
  }

  async take(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(this.#ready(), `${this.#suite}-${name}.png`), fullPage: true })
  }

  #ready(): string {
    if (this.#folder === undefined) {
      this.#folder = env.ROLEBOOK_SCREENSHOTS || mkdtempSync(join(tmpdir(), `rolebook-${this.#suite}-`))
      mkdirSync(this.#folder, { recursive: true })
      stdout.write(`      screenshots: ${this.#folder}\n`)
    }
    return this.#folder
  }
}
