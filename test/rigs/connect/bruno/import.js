// Imports a collection of Postman as Bruno does, into a new folder of requests: node import.js FILE FOLDER
import { mkdirSync, readFileSync } from 'node:fs'
import collections from '@usebruno/cli/src/utils/collection.js'
import { postmanToBruno } from '@usebruno/converters'

const [file, folder] = process.argv.slice(2)
const { collection } = await postmanToBruno(JSON.parse(readFileSync(file, 'utf8')))
mkdirSync(folder)
await collections.createCollectionFromBrunoObject(collection, folder)
