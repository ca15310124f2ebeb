//! The JSON specification: wire types, validation, model.
