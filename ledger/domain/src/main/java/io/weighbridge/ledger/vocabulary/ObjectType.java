package io.weighbridge.ledger.vocabulary;

/** What an object is for (spec 2.1). */
public enum ObjectType {
    WEIGHT,
    METADATA,
    KVCACHE,
    GENERAL
}
