import type { MessageType } from './model.js'

const ownerReference: MessageType = {
  name: 'OwnerReference',
  fields: {
    1: ['kind', 'string'],
    3: ['name', 'string'],
    4: ['uid', 'string'],
    5: ['apiVersion', 'string'],
    6: ['controller', 'bool'],
    7: ['blockOwnerDeletion', 'bool'],
  },
}

/** The metadata of an object (meta/v1 ObjectMeta). */
export const objectMeta: MessageType = {
  name: 'ObjectMeta',
  fields: {
    1: ['name', 'string'],
    2: ['generateName', 'string'],
    3: ['namespace', 'string'],
    5: ['uid', 'string'],
    11: ['labels', 'stringMap'],
    6: ['resourceVersion', 'string'],
    12: ['annotations', 'stringMap'],
    13: ['ownerReferences', { listOf: ownerReference }],
    14: ['finalizers', 'strings'],
  },
}
