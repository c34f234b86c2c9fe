/** The real control plane of the cluster suites: started for the first that asks, stopped after the last. */
import process, { stderr } from 'node:process'
import type { Context } from 'mocha'
import { missingForBinaries } from '../control-plane/binaries.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'

/** Building from empty caches takes nine minutes on two cores. */
const FIRST_BUILD_MS = 30 * 60_000

/** What ends by itself after the last test has ended by then. */
const END_WITHIN_MS = 60_000

let shared: Promise<ControlPlane> | undefined
let skippedSuites = 0

/**
 * For a `before` hook: the control plane that all suites share. Work in a namespace of your own, and leave it running;
 * who restarts or breaks a server starts a `ControlPlane` of his own.
 * Skips the suite, and says so, where none can be built.
 */
export function sharedControlPlane(context: Context): Promise<ControlPlane> {
  requireBinaries(context)
  shared ??= ControlPlane.start()
  return shared
}

/** Skips the suite, and says so, where no control plane can be built. */
export function requireBinaries(context: Context): void {
  context.timeout(FIRST_BUILD_MS)
  const missing = missingForBinaries()
  if (missing === undefined) return
  skippedSuites++
  stderr.write(`SKIPPED: ${context.test?.parent?.fullTitle()}: it needs a real control plane, and ${missing}\n`)
  context.skip() // without Go or KUBEBUILDER_ASSETS there is no real server to ask
}

export const mochaHooks = {
  async afterAll(this: Context): Promise<void> {
    this.timeout(60_000)
    if (skippedSuites > 0) stderr.write(`SKIPPED: ${skippedSuites} suites, for want of a real control plane\n`)
    await (await shared)?.stop()
    setTimeout(endAnyhow, END_WITHIN_MS).unref()
  },
}

/** A test that failed may have left something open, for which the process would wait for ever. */
function endAnyhow(): void {
  stderr.write(`cannot end after the last test: still open are ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}
