import { ACCESS, BUDGETS, WEBHOOKS } from './guard-mutants.ts'
import type { Mutant } from './mutant.ts'

const WRITES: readonly Mutant[] = [
  {
    name: 'no conflict on a stale PUT',
    file: 'sandbox/apiserver/write/update-object.ts',
    search: 'throw staleVersion(request.resource, request.name)',
    replace: 'return withMeta(object, { resourceVersion: live.metadata.resourceVersion })',
    topics: ['basics', 'metadata'],
  },
  {
    name: 'a custom resource is replaced without a resourceVersion',
    file: 'sandbox/apiserver/write/update-object.ts',
    search: 'if (request.resource.rules.unconditionalUpdate === false)',
    replace: 'if (false)',
    topics: ['custom-resources', 'metadata'],
  },
  {
    name: 'a write that changes nothing takes a new version',
    file: 'sandbox/apiserver/write/update-object.ts',
    search: 'if (isSettled && (updated === live || jsonEquals(updated, live)))',
    replace: 'if (false)',
    topics: ['facts-apply', 'basics', 'metadata'],
  },
  {
    name: 'the generation grows with the status',
    file: 'sandbox/apiserver/write/strategy.ts',
    search: " || subresource === 'status' ||",
    replace: ' ||',
    topics: ['subresources', 'custom-resources'],
  },
  {
    name: 'the status of a built-in kind is written by the main endpoint',
    file: 'sandbox/apiserver/kinds/common/strategies.ts',
    search: "return keepField(object, old, 'status')",
    replace: 'return object',
    topics: ['status-ignored'],
  },
  {
    name: 'the status of a custom resource is written by the main endpoint',
    file: 'sandbox/apiserver/crd/custom-rules.ts',
    search:
      "prepareForUpdate: (object, old) => ('status' in old ? { ...object, status: old.status } : withoutStatus(object)),",
    replace: '',
    topics: ['custom-resources', 'subresources'],
  },
  {
    name: 'a dry run is stored',
    file: 'sandbox/apiserver/write/create-object.ts',
    search: 'if (request.dryRun) return { object: presentObject(request.resource, stored), created: true }',
    replace: '',
    topics: ['basics', 'metadata'],
  },
  {
    name: 'a namespace that ends takes new objects',
    file: 'sandbox/apiserver/write/create-object.ts',
    search: '  checkNamespaceForCreate(state, request, object)\n',
    replace: '',
    topics: ['namespaces'],
  },
  {
    name: 'an immutable ConfigMap is changed',
    file: 'sandbox/apiserver/kinds/config-map.ts',
    search: 'if (old.immutable !== true) return []',
    replace: 'return []',
    topics: ['immutable-data'],
  },
]

const WATCHES: readonly Mutant[] = [
  {
    name: 'no bookmark comes',
    file: 'sandbox/apiserver/http/watch-stream.ts',
    search: 'if (this.#options.sendBookmarks) this.#scheduleBookmarks',
    replace: 'if (false) this.#scheduleBookmarks',
    topics: ['watch-bookmarks'],
  },
  {
    name: 'no bookmark ends the initial events',
    file: 'sandbox/apiserver/http/watch-reply.ts',
    search: 'announceInitialEnd: options.sendInitialEvents === true && options.allowWatchBookmarks,',
    replace: 'announceInitialEnd: false,',
    topics: ['watch-start'],
  },
  {
    name: 'events of a watch come in the wrong order',
    file: 'sandbox/apiserver/http/watch-stream.ts',
    search: 'lines.push(encode(step.type, step.stored))',
    replace: 'lines.unshift(encode(step.type, step.stored))',
    topics: ['watch-start', 'watches'],
  },
  {
    name: 'what begins to match a selector is no ADDED',
    file: 'sandbox/apiserver/store/watch-cursor.ts',
    search: "{ type: before ? 'MODIFIED' : 'ADDED', stored: current }",
    replace: '{ type, stored: current }',
    topics: ['watch-selectors'],
  },
  {
    name: 'what ceases to match a selector is no DELETED',
    file: 'sandbox/apiserver/store/watch-cursor.ts',
    search: "return before ? { type: 'DELETED', stored: asOf(previous, revision) } : undefined",
    replace: 'return undefined',
    topics: ['watch-selectors'],
  },
  {
    name: 'the pages of a list show different moments',
    file: 'sandbox/apiserver/store/list-objects.ts',
    search: 'if (start === history.end) return table.list(namespace)',
    replace: 'return table.list(namespace)',
    topics: ['list-pages', 'list-versions'],
  },
  {
    name: 'a selector with != wants the label to be there',
    file: 'sandbox/apiserver/store/label-selector.ts',
    search: "if (operator === '!=') return membership(key, [this.#value()], false)",
    replace:
      "if (operator === '!=') { const other = membership(key, [this.#value()], false); return (labels) => Object.hasOwn(labels, key) && other(labels) }",
    topics: ['list-labels'],
  },
]

const APPLIES: readonly Mutant[] = [
  {
    name: 'force does not take ownership away',
    file: 'sandbox/apiserver/apply/field-updater.ts',
    search: '        .difference(conflicts.get(id) ?? FieldSet.empty)\n',
    replace: '',
    topics: ['apply-conflicts'],
  },
  {
    name: 'an apply takes what others own without conflict',
    file: 'sandbox/apiserver/apply/field-updater.ts',
    search: 'if (!force && conflicts.size > 0)',
    replace: 'if (false)',
    topics: ['apply-conflicts'],
  },
  {
    name: 'a field that is no longer applied stays',
    file: 'sandbox/apiserver/apply/prune-unapplied.ts',
    search: 'if (last === undefined || last.fields.isEmpty()) return merged',
    replace: 'if (last !== undefined || last === undefined) return merged',
    topics: ['apply-removal'],
  },
  {
    name: 'a field that another manager owns as well is removed',
    file: 'sandbox/apiserver/apply/prune-unapplied.ts',
    search: 'const kept = allFields(part).union(withDeclaredParents(fields, whole.type))',
    replace: 'const kept = allFields(part)',
    topics: ['apply-removal'],
  },
  {
    name: 'fields that an endpoint ignores are owned through it',
    file: 'sandbox/apiserver/apply/field-updater.ts',
    search: 'return this.#ignored === undefined ? fields : fields.recursiveDifference(this.#ignored)',
    replace: 'return fields',
    topics: ['apply-subresources'],
  },
]

const PATCHES: readonly Mutant[] = [
  {
    name: 'a strategic merge patch ignores the merge key',
    file: 'sandbox/apiserver/patch/strategic-merge-patch.ts',
    search: "return found.strategy === 'merge' ? mergeLists(live, patch, found) : patch",
    replace: 'return patch',
    topics: ['patch-strategic'],
  },
  {
    name: 'null in a merge patch does not remove',
    file: 'sandbox/apiserver/patch/merge-patch.ts',
    search: 'if (value === null) delete merged[name]\n    else if',
    replace: 'if',
    topics: ['patch-merge'],
  },
  {
    name: 'a JSON patch goes on after a failed test',
    file: 'sandbox/apiserver/patch/json-patch.ts',
    search: 'if (!jsonEquals(found ?? null, operandOf(operation)))',
    replace: 'if (false)',
    topics: ['patch-json'],
  },
]

const DELETIONS: readonly Mutant[] = [
  {
    name: 'a finalizer holds nothing',
    file: 'sandbox/apiserver/lifecycle/delete-object.ts',
    search: 'const held = (marked.metadata.finalizers ?? []).length > 0',
    replace: 'const held = false',
    topics: ['deletion-finalizers'],
  },
  {
    name: 'the uid of a precondition means nothing',
    file: 'sandbox/apiserver/write/preconditions.ts',
    search: 'if (wanted.uid !== undefined && wanted.uid !== uid) {\n    const text',
    replace: 'if (false) {\n    const text',
    topics: ['deletion-options'],
  },
  {
    name: 'an owner of the same name keeps what belonged to another',
    file: 'sandbox/apiserver/lifecycle/garbage-collector.ts',
    search: 'if (!owner || uidOf(owner) !== reference.uid)',
    replace: 'if (!owner)',
    topics: ['gc-owners'],
  },
  {
    name: 'a deletion in the foreground does not wait for dependents',
    file: 'sandbox/apiserver/lifecycle/garbage-collector.ts',
    search: 'if (blocking.length === 0)',
    replace: 'if (blocking.length >= 0)',
    topics: ['deletion', 'deletion-options'],
  },
]

const SCHEMAS: readonly Mutant[] = [
  {
    name: 'defaults are filled in on writes only',
    file: 'sandbox/apiserver/served-resource.ts',
    search: 'return applyDefaults(known, schema) as KubeObject',
    replace: 'return known as KubeObject',
    topics: ['crd-changes', 'apply-schema-changes', 'defaulting-objects'],
  },
  {
    name: 'unknown fields are kept',
    file: 'core/schema/prune.ts',
    search: 'return { value: pruned as T,',
    replace: 'return { value,',
    topics: ['pruning-fields'],
  },
  {
    name: 'rules about the old state are skipped',
    file: 'sandbox/apiserver/crd/validations/run-validations.ts',
    search: 'if (!program || (usesOldSelf && old === undefined && !rule.optionalOldSelf))',
    replace: 'if (!program || usesOldSelf)',
    topics: ['cel-transitions'],
  },
  {
    name: 'an item stands twice in a set',
    file: 'core/schema/validate-lists.ts',
    search: "type === 'set' ? checkSet(list, path) :",
    replace: "type === 'set' ? [] :",
    topics: ['crd-objects', 'crd-checks', 'custom-resources'],
  },
]

export const MUTANTS: readonly Mutant[] = [
  ...WRITES,
  ...WATCHES,
  ...APPLIES,
  ...PATCHES,
  ...DELETIONS,
  ...SCHEMAS,
  ...ACCESS,
  ...WEBHOOKS,
  ...BUDGETS,
]
