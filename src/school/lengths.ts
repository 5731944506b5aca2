/** The longest name of a school, in code points. */
export const maxSchoolNameLength = 255

/** The longest address, in code points. */
export const maxAddressLength = 500
