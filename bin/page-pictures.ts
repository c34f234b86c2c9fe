/**
 * Takes the pictures of the playground and of the dashboard in `docs/pictures` from a run of their suites in Chromium, which also looks after what they
 * show. Look at the pictures before you commit them: times in them are those of this run.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { env, execPath } from 'node:process'
import { startBrowser } from '../test/cluster/browser.ts'

/** Pictures by the screenshots of the suites that they are. */
const PICTURES: Readonly<Record<string, string>> = {
  'playground.webp': 'tour-1280-light.png',
  'halted-rollout.webp': 'dashboard-checkout-1280-light.png',
  'drift-fight.webp': 'dashboard-catalog-1280-light.png',
  'stuck-deletion.webp': 'dashboard-archive-1280-light.png',
}
const SUITES = ['test/cluster/playground-tour.test.ts', 'test/cluster/dashboard.test.ts']
/** Of their tests, those that take screenshots. */
const TESTS = 'usable by all|looks as it should'

/** A picture in another format, as addresses that hold them. */
const TO_WEBP = `async (png) => {
  const image = new Image()
  image.src = png
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: image.width, height: image.height })
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', 0.9)
}`

const root = join(import.meta.dirname, '..')
const shots = mkdtempSync(join(tmpdir(), 'rolebook-pictures-'))
try {
  process.exitCode = takeShots()
  if (process.exitCode === 0) await writePictures()
} finally {
  rmSync(shots, { recursive: true })
}

/** @returns the exit code */
function takeShots(): number {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
  const settings = { cwd: root, env: { ...env, ROLEBOOK_SCREENSHOTS: shots }, stdio: 'inherit' } as const
  return spawnSync(execPath, [mocha, '--grep', TESTS, ...SUITES], settings).status ?? 1
}

/** As WebP, by the browser: in PNG they would be too large for the repository. */
async function writePictures(): Promise<void> {
  const browser = await startBrowser('the pictures of the pages')
  const page = await browser?.newPage()
  for (const [picture, shot] of Object.entries(PICTURES)) {
    const png = readFileSync(join(shots, shot)).toString('base64')
    const webp = await page?.evaluate<string>(`(${TO_WEBP})("data:image/png;base64,${png}")`)
    if (webp) writeFileSync(join(root, 'docs/pictures', picture), Buffer.from(webp.split(',')[1] ?? '', 'base64'))
  }
  await browser?.close()
}
