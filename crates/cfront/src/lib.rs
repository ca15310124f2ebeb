//! Reading C: preprocessing, tokens, tree, scopes, types, control flow, labels.
