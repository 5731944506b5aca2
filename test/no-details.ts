/** The optional members of a student of whom only what is required is given, as all are shown them. */
export const noPlainDetails = {
  identifiers: null,
  preferred_name: null,
  given_name: null,
  family_name: null,
  former_names: null,
  fields: {},
}

/** The same as those are shown them who hold `students.sensitive`. */
export const noDetails = {
  ...noPlainDetails,
  date_of_birth: null,
  gender: null,
  email: null,
  address: null,
  guardians: null,
  notes: null,
}
