import { env } from 'node:process'
import fc from 'fast-check'

/** Random tests make the same cases in every run, so that a change is judged by what it changes; `SEED=…` makes others. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(env.SEED ?? 1) })
