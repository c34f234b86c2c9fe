import { readFileSync } from 'node:fs'

/** Of the times in /proc: Linux has it as a constant of its interface, `USER_HZ`. */
const TICKS_PER_SECOND = 100

/** Seconds that a process has computed since it started, in user and in system mode. @throws Error when it is gone */
export function cpuSecondsOf(pid: number): number {
  // Behind the name of the program, which may have blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** MiB that a process has in memory, or had at most. @throws Error when it is gone */
export function memoryMebibytesOf(pid: number, which: 'now' | 'peak' = 'now'): number {
  const field = which === 'now' ? 'VmRSS' : 'VmHWM'
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}
