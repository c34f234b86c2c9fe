import type { Trigger } from './model.ts'

const TRIGGERS: Readonly<Record<Exclude<Trigger['kind'], 'changed'>, string>> = {
  created: 'the resource was created',
  edited: 'the resource was edited',
  overwritten: 'another client has overwritten the status',
  deleted: 'the resource is deleted',
  started: 'the operator started',
  reloaded: 'the role was changed',
  served: 'a kind that was missing is served',
  retry: 'a failure is tried again',
  wait: 'a wait is looked after',
  period: 'it was time',
}

/** Why a run began, for people: `the resource was edited: spec.size`. */
export function describeTrigger({ kind, object, how, fields = [] }: Trigger): string {
  if (kind === 'changed') return `${object ?? 'an object'} was ${how ?? 'changed'}`
  return `${TRIGGERS[kind]}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`
}
