/** Codes of what can be wrong with a project: its files, `watches.yaml`, CRDs and samples. Never reused. */
export const CONFIG_ERRORS = {
  RB1301: 'file or folder that is not there',
  RB1302: 'file that cannot be read',
  RB1303: 'file that is not UTF-8',
  RB1304: 'link that leads out of the folder',
  RB1305: 'too many files',
  RB1306: 'key of the Ansible operator',
  RB1307: 'duration',
  RB1308: 'environment variable that is not set',
  RB1309: 'label selector',
  RB1310: 'two entries for the same objects',
  RB1311: 'role that is not there',
  RB1312: 'role that is there twice',
  RB1313: 'role that no entry uses',
  RB1314: 'manifest that is no object of the API',
  RB1315: 'CRD that cannot be read',
  RB1316: 'version that the CRD does not have',
  RB1317: 'schema of a CRD that a server refuses',
  RB1318: 'sample that a server refuses',
  RB1319: 'file that is mounted by itself',
} as const

export type ConfigErrorCode = keyof typeof CONFIG_ERRORS
