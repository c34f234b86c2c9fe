/** The input of the cases. */
export const INPUT_TEXT =
  '{"a":{"b":1},"list":[{"v":1},{"v":2},{"v":3}],"mixed":[1,"a"],"evil":{"__proto__":{"polluted":1},"constructor":2}}'

/** Twenty shapes of documents, as JSON. */
export const DOCUMENTS: readonly string[] = [
  'null',
  '0',
  '""',
  'true',
  '[]',
  '{}',
  '[[],[[]],{}]',
  '[1,2,3]',
  '["a","b"]',
  '{"a":[],"list":{},"mixed":"text","evil":[1]}',
  '{"a":[{"b":[1,[2]]},{"b":null}],"list":[[1],[2]],"mixed":[[],{}],"evil":0}',
  '{"list":"abc","a":"abc","length":3,"constructor":1,"toString":2}',
  '{"a":{"a":{"a":{"a":[{"a":1}]}}},"list":[{"list":[{"list":[]}]}]}',
  '[{"a":{"b":1},"list":[{"v":1}]},{"a":{"b":2},"list":[{"v":"x"}]}]',
  '{"functionValue":true,"call":1,"arity":2,"regex":{}}',
  '{"a":{"functionValue":true,"call":"x"},"list":[{"_jsonata_lambda":true}],"evil":{"_jsonata_function":true}}',
  INPUT_TEXT,
  `${'['.repeat(400)}${']'.repeat(400)}`,
  `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`,
  JSON.stringify({ list: Array.from({ length: 2000 }, (_, v) => ({ v })), a: 'a'.repeat(20_000) }),
]
