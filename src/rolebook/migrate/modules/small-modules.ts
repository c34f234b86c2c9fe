import type { JsonValue } from '../../../core/base/json.ts'
import { translateCondition } from '../task-context.ts'
import { Undecided } from '../undecided.ts'
import type { Module } from './module.ts'

/** `assert`. */
export const assertModule: Module = {
  names: ['assert'],
  collections: ['ansible.builtin'],
  translate(parameters, { name, fields }, { names, path }) {
    const that = parameters.raw('that')
    if (that === undefined) throw new Undecided('RB1704', 'nothing is asserted')
    const conditions = translateCondition(that, names, [...path, parameters.module, 'that'])
    const message = parameters.value('fail_msg', 'msg') ?? `${name ?? 'an assertion'}: not so`
    parameters.ignore('success_msg', 'quiet')
    parameters.end()
    const assert = { that: conditions.map(({ text }) => `\${${text}}`), message }
    return [{ fields: { ...(name === undefined ? {} : { name }), ...fields, assert } }]
  },
}

/** `fail`. */
export const failModule: Module = {
  names: ['fail'],
  collections: ['ansible.builtin'],
  translate(parameters, { name, fields }) {
    const message: JsonValue = parameters.value('msg') ?? 'failed as requested from task'
    parameters.end()
    return [{ fields: { ...(name === undefined ? {} : { name }), ...fields, fail: { message } } }]
  },
}

/** Modules that print or steer: nothing is left of them. */
export const silentModule: Module = {
  names: ['debug', 'ping', 'setup', 'gather_facts'],
  collections: ['ansible.builtin'],
  translate(_parameters, _modifiers, { names }) {
    names.note('left out: it changes nothing in the cluster')
    return []
  },
}

/** `include_tasks` and `import_tasks`: both share the names of the role, so their tasks stand in a block. */
export const includeModule: Module = {
  names: ['include_tasks', 'import_tasks', 'include'],
  collections: ['ansible.builtin'],
  translate(parameters, { name, fields }, context) {
    const file = parameters.literal('file')
    parameters.end()
    if (file === undefined) throw new Undecided('RB1704', 'no `file` is given')
    const block = context.role.includeTasks(file, context)
    if (block.length === 0) return []
    return [{ fields: { name: name ?? `Tasks of ${file}`, ...fields }, block }]
  },
}
