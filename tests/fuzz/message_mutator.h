// Changes in protobuf messages of any kind, at random: what comes out is a message again, so that it gets further into
// whatever reads it than a file with changed bytes.
//
// Thread safety: none.
#pragma once

#include <google/protobuf/message.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace vantage::test {

using google::protobuf::Message;

class MessageMutator {
 public:
  explicit MessageMutator(uint64_t seed) : random_(seed) {}

  // One change of a field somewhere in it: a value near the one that is there or at a limit, an element more or less,
  // or a part that stands elsewhere in the message or in `other`.
  void change(Message& message, const Message& other);

  // Below `count`, which is at least 1.
  size_t below(size_t count) { return static_cast<size_t>(random_() % count); }
  bool once_in(size_t count) { return below(count) == 0; }
  template <typename List>
  const auto& one_of(const List& list) {
    return *std::next(std::begin(list), static_cast<ptrdiff_t>(below(std::size(list))));
  }
  // Small ones, powers of two and those beside them, and the limits of integers.
  int64_t integer();
  double number();

 private:
  using Field = google::protobuf::FieldDescriptor;

  // All messages inside of it and itself.
  static std::vector<Message*> parts_of(Message& message);
  void change_messages(Message& message, const Field& field, const std::vector<const Message*>& parts);
  void change_values(Message& message, const Field& field, const std::vector<const Message*>& parts);
  // Of one value, or of element `index`; kNew is one more.
  static constexpr int kNew = -1;
  void set_value(Message& message, const Field& field, int index, const std::vector<const Message*>& parts);
  int64_t near(int64_t value);
  std::string near(std::string text);

  std::mt19937_64 random_;
};

}  // namespace vantage::test
