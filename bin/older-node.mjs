/**
 * What the program uses of the language and Node 20 does not have. The bundle begins with it; a newer Node keeps its own.
 * `test/cluster/older-node.test.ts` says when something is missing here.
 */

const additions = [
  [Promise, { withResolvers }],
  [
    Object,
    { groupBy: (items, keyOf) => Object.assign(Object.create(null), Object.fromEntries(groupBy(items, keyOf))) },
  ],
  [Map, { groupBy }],
  [Set.prototype, { union, intersection, difference, symmetricDifference, isSubsetOf, isSupersetOf, isDisjointFrom }],
  // Of every iterator that the language itself gives.
  [Object.getPrototypeOf(Object.getPrototypeOf([].values())), { map, filter, take, drop, flatMap, ...iteratorEnds() }],
]
for (const [target, members] of additions) {
  for (const [name, value] of Object.entries(members)) {
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
  }
}

function withResolvers() {
  const settled = {}
  settled.promise = new this((resolve, reject) => Object.assign(settled, { resolve, reject }))
  return settled
}

function groupBy(items, keyOf) {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

function union(other) {
  return new Set([...this, ...other.keys()])
}

function intersection(other) {
  return new Set([...this].filter((one) => other.has(one)))
}

function difference(other) {
  return new Set([...this].filter((one) => !other.has(one)))
}

function symmetricDifference(other) {
  const added = [...other.keys()].filter((one) => !this.has(one))
  return new Set([...[...this].filter((one) => !other.has(one)), ...added])
}

function isSubsetOf(other) {
  return [...this].every((one) => other.has(one))
}

function isSupersetOf(other) {
  return [...other.keys()].every((one) => this.has(one))
}

function isDisjointFrom(other) {
  return ![...this].some((one) => other.has(one))
}

function* map(change) {
  let index = 0
  for (const one of this) yield change(one, index++)
}

function* filter(isWanted) {
  let index = 0
  for (const one of this) if (isWanted(one, index++)) yield one
}

function* take(count) {
  let left = count
  if (left <= 0) return
  for (const one of this) {
    yield one
    if (--left <= 0) return
  }
}

function* drop(count) {
  let left = count
  for (const one of this) if (left-- <= 0) yield one
}

function* flatMap(change) {
  let index = 0
  for (const one of this) yield* change(one, index++)
}

/** The methods of iterators that end in a value. `some`, `every` and `find` read no further than they need. */
function iteratorEnds() {
  return {
    toArray() {
      return [...this]
    },
    forEach(visit) {
      let index = 0
      for (const one of this) visit(one, index++)
    },
    reduce(...args) {
      return [...this].reduce(...args)
    },
    some(test) {
      let index = 0
      for (const one of this) if (test(one, index++)) return true
      return false
    },
    every(test) {
      let index = 0
      for (const one of this) if (!test(one, index++)) return false
      return true
    },
    find(test) {
      let index = 0
      for (const one of this) if (test(one, index++)) return one
      return undefined
    },
  }
}
