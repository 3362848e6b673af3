import { CALLBACK, postmanCollection } from './postman-collection.js'
import type { Recipe } from './recipe.js'

/** The members that Postman and Bruno share: both read the collection of Postman. */
const collection = {
  builtIn: 'demo',
  secret: true,
  labFile: {
    application_type: 'native',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  },
  collection: postmanCollection,
} satisfies Partial<Recipe>

/** Postman: a collection with the login of a person, and with requests of the client itself. */
export const postman: Recipe = {
  ...collection,
  name: 'postman',
  aliases: ['newman'],
  title: 'Postman: a collection with the login of a person and requests of the client',
  checked: { version: 'newman 6.2.2', by: 'test' },
  needs: ['Postman or newman'],
  lines: ({ ca, collectionCommand, word }) => [
    {
      kind: 'run',
      lines: [
        `${collectionCommand} -o oauth-lab.postman_collection.json`,
        `newman run oauth-lab.postman_collection.json --folder 'As the client' --ssl-extra-ca-certs ${word(ca)}`,
      ],
    },
  ],
  notes: [
    'In Postman: Import the file. Settings, Certificates, CA certificates takes the CA file of the lab.',
    'Its login window trusts what the system trusts:   oauth-lab ca install',
    'The file holds the secret of the client as the variable client_secret; it is for you alone (0600).',
  ],
}

/** Bruno, which imports the collection of Postman. */
export const bruno: Recipe = {
  ...collection,
  name: 'bruno',
  title: 'Bruno: the collection of Postman, imported',
  checked: {
    version: '@usebruno/cli 4.1.0 and @usebruno/converters 0.23.0',
    by: 'test',
  },
  needs: ['Bruno'],
  lines: ({ collectionCommand }) => [
    { kind: 'run', lines: [`${collectionCommand} -o oauth-lab.postman_collection.json`] },
  ],
  notes: [
    'In Bruno: Import Collection, and choose the file. Preferences, General, Custom CA Certificate takes the CA file of the lab.',
    "Then, in the folder of the collection:   bru run 'As the client' --cacert FILE   with the CA file of the lab.",
    'The file holds the secret of the client as the variable client_secret; it is for you alone (0600).',
  ],
}
