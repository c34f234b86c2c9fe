import { cpus, loadavg, totalmem } from 'node:os'
import { version } from 'node:process'

/** Where and when figures were measured. The load, over a quarter of an hour, shows whether the machine was busy with other work. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const date = new Date().toISOString().slice(0, 10)
  const load = loadavg()[2]?.toFixed(0)
  return `Measured on ${date}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${version}, load average ${load}.`
}
