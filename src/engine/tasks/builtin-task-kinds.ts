import type { TaskKind } from '../role/task-kind.ts'
import { assert } from './assert.ts'
import { block } from './block.ts'
import { chart } from './chart.ts'
import { ensure } from './ensure.ts'
import { event } from './event.ts'
import { fail } from './fail.ts'
import { get } from './get.ts'
import { include } from './include.ts'
import { list } from './list.ts'
import { patch } from './patch.ts'
import { set } from './set.ts'
import { status } from './status.ts'
import { wait } from './wait.ts'

/** The vocabulary of roles. A new kind is one file and one line here. */
export const builtinTaskKinds: readonly TaskKind[] = [
  ensure,
  patch,
  status,
  get,
  list,
  chart,
  set,
  wait,
  assert,
  fail,
  event,
  block,
  include,
]
