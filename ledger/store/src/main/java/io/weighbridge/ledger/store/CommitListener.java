package io.weighbridge.ledger.store;

/** Told after a transaction with oplog entries has committed; must return at once. */
@FunctionalInterface
public interface CommitListener {

    void committed();
}
