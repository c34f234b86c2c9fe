import { cpus, totalmem } from 'node:os'
import { version } from 'node:process'

/** Where and when figures were measured. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${version}.`
}
